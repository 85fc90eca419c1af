// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title TestUSDT
/// @notice A stand-in for Tether's token on test chains, with what makes it unlike others: its
///         calls return nothing, it gives no reasons, a lack of balance burns all the gas (the
///         assert of its old compiler), an allowance must be zero before it is changed, and only
///         the sender is looked up on the blacklist.
/// @dev    Its init code has no argument, hence one CREATE2 address on every chain, and it does not
///         matter who deploys it: anyone may issue (it is worth nothing), and the owner, who alone
///         may pause and keep the blacklist, is an address without a key. Only a development node,
///         which lets one act for any account, can do that.
contract TestUSDT {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    /// @notice An address without a key: the hash of a sentence, cut to 20 bytes.
    address public constant owner =
        address(uint160(uint256(keccak256("The owner of Remit's test USDT has no key."))));
    /// @dev More at once could bring the total near an overflow, which would end all issuing.
    uint256 private constant ISSUE_LIMIT = 1e30;

    bool public paused;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Issue(uint256 amount);
    event Pause();
    event Unpause();
    event AddedBlackList(address _user);
    event RemovedBlackList(address _user);

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    modifier whenNotPaused() {
        require(!paused);
        _;
    }

    function transfer(address to, uint256 value) external whenNotPaused {
        require(!isBlackListed[msg.sender]);
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external whenNotPaused {
        require(!isBlackListed[from]);
        uint256 left = allowance[from][msg.sender];
        if (left != type(uint256).max) allowance[from][msg.sender] = _subtract(left, value);
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function mint(address to, uint256 amount) external {
        require(amount <= ISSUE_LIMIT);
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Issue(amount);
        emit Transfer(address(0), to, amount);
    }

    function addBlackList(address user) external onlyOwner {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function removeBlackList(address user) external onlyOwner {
        isBlackListed[user] = false;
        emit RemovedBlackList(user);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpause();
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] = _subtract(balanceOf[from], value);
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function _subtract(uint256 from, uint256 value) private pure returns (uint256) {
        if (value > from) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        unchecked {
            return from - value;
        }
    }
}
