// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title TestUSDT
/// @notice A stand-in for Tether's token on test chains, with what makes it unlike others: its
///         calls return nothing, it gives no reasons, a lack of balance burns all the gas (the
///         assert of its old compiler), an allowance must be zero before it is changed, and only
///         the sender is looked up on the blacklist.
/// @dev    Its owner is whoever pays for the deployment. Its init code therefore has no argument
///         and its CREATE2 address is the same on every chain.
contract TestUSDT {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    address public owner;
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

    constructor() {
        owner = tx.origin;
    }

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

    function mint(address to, uint256 amount) external onlyOwner {
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

    function transferOwnership(address newOwner) external onlyOwner {
        if (newOwner != address(0)) owner = newOwner;
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
