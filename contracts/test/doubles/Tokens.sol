// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice The least of a token: balances, and a transfer that the children spoil.
abstract contract SpoiledToken {
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external virtual returns (bool);

    function _move(address to, uint256 amount) internal {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
    }
}

/// @notice Answers false and moves nothing.
contract FalseToken is SpoiledToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return false;
    }
}

/// @notice Reverts with a reason of 100,000 bytes.
contract LongReasonToken is SpoiledToken {
    function transfer(address, uint256) external pure override returns (bool) {
        assembly {
            mstore(0x1000, shl(224, 0x08c379a0))
            revert(0x1000, 100000)
        }
    }
}

/// @notice Keeps one percent of each transfer.
contract TaxedToken is SpoiledToken {
    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(to, amount - amount / 100);
        balanceOf[msg.sender] -= amount / 100;
        return true;
    }
}

/// @notice Burns all the gas it is given when it is to pay one account.
contract BurningToken is SpoiledToken {
    address public immutable refused;

    constructor(address refused_) {
        refused = refused_;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        if (to == refused) {
            assembly {
                invalid()
            }
        }
        _move(to, amount);
        return true;
    }
}

/// @notice Burns 200,000 gas when it pays one account, and pays others only with 90,000 gas to spare.
contract HungryToken is SpoiledToken {
    address private immutable _costly;

    constructor(address costly) {
        _costly = costly;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        if (to == _costly) {
            uint256 floor = gasleft() - 200_000;
            while (gasleft() > floor) {}
        } else {
            require(gasleft() > 90_000, "too little gas");
        }
        _move(to, amount);
        return true;
    }
}

/// @notice Makes a configured call during a transfer.
contract ReentrantToken is SpoiledToken {
    address private _target;
    bytes private _data;
    bool public reentered;

    function reenter(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        if (_target != address(0)) {
            (bool ok,) = _target.call(_data);
            reentered = ok;
        }
        _move(to, amount);
        return true;
    }
}

/// @notice The proxy before Circle's token on every chain: it looks up its code in
///         storage, which costs gas that a measurement should not leave out.
contract TokenProxy {
    /// @dev keccak256("org.zeppelinos.proxy.implementation"), the slot that Circle's proxy uses.
    bytes32 private constant SLOT =
        0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3;

    constructor(address implementation) {
        assembly {
            sstore(SLOT, implementation)
        }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// @notice Returns 100,000 bytes for everything.
contract Loudmouth {
    fallback() external {
        assembly {
            mstore(0x00, not(0))
            revert(0x00, 100000)
        }
    }
}

/// @notice Accepts everything, after a configured amount of work.
contract GreedyToken {
    uint256 private immutable _work;

    constructor(uint256 work) {
        _work = work;
    }

    fallback() external {
        if (_work > gasleft()) revert("too little gas");
        uint256 floor = gasleft() - _work;
        while (gasleft() > floor) {}
    }
}
